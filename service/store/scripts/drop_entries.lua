-- Take out those of some entries that were announced last before a certain time, and no later.
--
-- KEYS  1 the index  2 when each of its entries was announced last
-- ARGV  1 that time, in seconds  2 how long before it; then the entries
-- The time may be left empty: now.

local time = tonumber(ARGV[1]) or tonumber(redis.call('TIME')[1])
for place = 3, #ARGV do
  local announced = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[place]) or '0')
  if announced < time - ARGV[2] then
    redis.call('ZREM', KEYS[1], ARGV[place])
    redis.call('ZREM', KEYS[2], ARGV[place])
  end
end
