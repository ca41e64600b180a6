# Varnish in front of razao serve (Varnish 6.1 or newer; tested with 7.1 of Debian 12). docs/serving.md, "Behind a CDN".
# Razão's Cache-Control decides what is cached. Varnish's built-in VCL, which runs after this file, does not cache responses that are
# private or no-store, nor requests with Authorization or a cookie.
vcl 4.1;

import std;

# One server, or a load balancer in front of several. There is no probe: with one server Razão's own 503 says more than Varnish's.
backend razao {
    .host = "127.0.0.1";
    .port = "8080";
}

# May purge: the servers (RAZAO_EDGE_PURGE). If a TLS proxy on this machine is in front of Varnish, all clients come from loopback: have
# that proxy refuse PURGE, or give the servers another address.
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
        # The expression uses obj only, so that the ban lurker can process it in the background.
        if (!std.ban("obj.http.Surrogate-Key ~ (^|\s)" + req.http.Surrogate-Key + "(\s|$)")) {
            return (synth(503, std.ban_error()));
        }
        return (synth(204));
    }
    # Razão ignores cookies that are not its own, such as those of analytics; passed on, they would make every request a miss.
    if (req.http.Cookie !~ "(^|;\s*)(__Host-)?razao") {
        unset req.http.Cookie;
    }
}

sub vcl_backend_response {
    # Grace: how long after it expired a page may be served while it is fetched again (stale-while-revalidate). It adds to the minute
    # after which a switch of snapshots is visible if a purge was lost.
    set beresp.grace = 10s;
}

sub vcl_deliver {
    if (obj.hits > 0) {
        unset resp.http.X-Request-ID; # that of the request that filled the cache
    }
    unset resp.http.Surrogate-Key;
}
