-- How many milliseconds too early a call comes (GCRA); 0 lets it through and counts it.
-- KEYS: the moment until which the caller has spent its share. ARGV: milliseconds between calls, the burst.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + ARGV[1]
local early = due - now - ARGV[2]
if early > 0.000001 then
  return tostring(early)
end
redis.call('SET', KEYS[1], string.format('%.3f', due), 'PX', math.ceil(due - now))
return '0'
