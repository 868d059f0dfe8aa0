"""What several kinds of tests share: a store, a running service, and clients that know the contract."""
