-- Keeps a value of a conversation for a while; says 0 where there are as many as there may be.
-- KEYS: the names of its values by their ends, the value. ARGV: name, value, milliseconds, how many at most.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local before = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '0')
if before <= now and redis.call('ZCOUNT', KEYS[1], '(' .. now, '+inf') >= tonumber(ARGV[4]) then
  return 0
end
-- The first to write, so that a server without room refuses all of it.
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1
