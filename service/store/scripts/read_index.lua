-- Read a part of an index, newest first, and tell the time before.
--
-- KEYS  1 the index
-- ARGV  1 where to begin, as ZREVRANGEBYLEX has it  2 how many entries to read at most
--
-- The time is that of the server that has the index. In a cluster those of several need not agree.

local now = redis.call('TIME')[1]
return {now, redis.call('ZREVRANGEBYLEX', KEYS[1], ARGV[1], '-', 'LIMIT', 0, ARGV[2])}
