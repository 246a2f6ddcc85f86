-- What the views and look-ups by mint, user, creator, router and time need, beside the primary keys. For a first load
-- of a long history it is faster to run this file after the load.

-- Trades of a coin, newest first, candles, holders of a coin.
CREATE INDEX IF NOT EXISTS trades_mint_slot ON trades (mint, slot);
-- Trades of a user, newest first, and what the user holds.
CREATE INDEX IF NOT EXISTS trades_user_slot ON trades ("user", slot);
-- Fees that a creator earned. Trades before layout V2 name no creator.
CREATE INDEX IF NOT EXISTS trades_creator_slot ON trades (creator, slot) WHERE creator IS NOT NULL;
-- Trades that came through a router.
CREATE INDEX IF NOT EXISTS trades_router_slot ON trades (outer_program, slot);
-- Trades of a span of time, and the newest time.
CREATE INDEX IF NOT EXISTS trades_time ON trades (block_time);
-- The drift alarm. As good as empty, so it costs nothing.
CREATE INDEX IF NOT EXISTS trades_drift ON trades (slot) WHERE unknown_trailing_bytes > 0;

-- A coin's life.
CREATE INDEX IF NOT EXISTS creations_mint ON creations (mint);
CREATE INDEX IF NOT EXISTS completions_mint ON completions (mint);
CREATE INDEX IF NOT EXISTS migrations_mint ON migrations (mint);
CREATE INDEX IF NOT EXISTS creator_changes_mint ON creator_changes (mint);
CREATE INDEX IF NOT EXISTS mayhem_updates_mint ON mayhem_updates (mint);
CREATE INDEX IF NOT EXISTS fee_sweeps_mint ON fee_sweeps (mint);

-- Coins of a creator: before V1 an event names no creator, and its user is it.
CREATE INDEX IF NOT EXISTS creations_creator ON creations ((COALESCE(creator, "user")));
-- Fees that a creator took out.
CREATE INDEX IF NOT EXISTS fee_collections_creator ON fee_collections (creator);

-- The part of holder_flows that is not in trades.
CREATE INDEX IF NOT EXISTS post_completion_buys_mint ON post_completion_buys (mint);
CREATE INDEX IF NOT EXISTS post_completion_buys_user ON post_completion_buys ("user");
