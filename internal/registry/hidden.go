package registry

// hiddenOrders is the column that a look-up of the root $1 reads beside its records: the orders of the establishments whose
// contact is hidden. It is part of the same query, so that hiding takes effect with the next look-up of any process.
const hiddenOrders = `ARRAY(SELECT establishment FROM hidden_contact WHERE root = $1)`
