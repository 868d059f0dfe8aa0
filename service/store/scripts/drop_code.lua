-- Forget a join code if it leads to a certain match.
--
-- KEYS  1 the code
-- ARGV  1 the match

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
