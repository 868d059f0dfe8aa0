-- Put an entry into an index, and take out some that nobody has announced for so long that their match is gone.
--
-- KEYS  1 the index  2 when each of its entries was announced last
-- ARGV  1 the entry  2 seconds that an entry, and the index, is kept after it was announced
--
-- All entries have the score 0, so they lie in the order of their bytes and a page can begin exactly after any of
-- them. The time is the store's own: the clocks of those who announce and of those who read need not agree.

local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], 0, ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2] - 1, 'LIMIT', 0, 10)) do
  redis.call('ZREM', KEYS[1], old)
  redis.call('ZREM', KEYS[2], old)
end
for _, key in ipairs(KEYS) do
  redis.call('EXPIRE', key, ARGV[2])
end
