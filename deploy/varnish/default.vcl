# Varnish in front of razao serve (Varnish 6.1 or newer; tried with 7.1 of Debian 12). docs/operations.md, "Behind a CDN".
# What may be kept is decided by Razão's Cache-Control: Varnish's own rules, which follow below this file, keep nothing that is
# private or no-store, and nothing that was asked for with Authorization or a cookie.
vcl 4.1;

import std;

# One server, or a balancer before several. There is no probe: with one server Razão's own 503 says more than Varnish's.
backend razao {
    .host = "127.0.0.1";
    .port = "8080";
}

# Who may purge: the servers, by RAZAO_EDGE_PURGE. When TLS ends in front of Varnish on this machine, all clients come from loopback: let
# that proxy refuse PURGE, or give the servers an address of their own.
acl servers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ servers) {
            return (synth(403));
        }
        if (req.http.Surrogate-Key !~ "^razao(-[0-9]+)?$") {
            return (synth(400));
        }
        # Of obj alone, so that the ban lurker clears up by itself.
        if (!std.ban("obj.http.Surrogate-Key ~ (^|\s)" + req.http.Surrogate-Key + "(\s|$)")) {
            return (synth(503, std.ban_error()));
        }
        return (synth(204));
    }
    # Cookies of others, such as those of analytics, make no difference to Razão, and would make each visitor a miss.
    if (req.http.Cookie !~ "(^|;\s*)(__Host-)?razao") {
        unset req.http.Cookie;
    }
}

sub vcl_backend_response {
    # How long after its time a page may still be sent, once, while it is fetched again. It adds to the minute after which a switch is seen
    # when a purge was lost.
    set beresp.grace = 10s;
}

sub vcl_deliver {
    if (obj.hits > 0) {
        unset resp.http.X-Request-ID; # of the request that filled the cache
    }
    unset resp.http.Surrogate-Key;
}
