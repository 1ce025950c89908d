-- Every value of a conversation, as name, value, name, value.
-- KEYS: the names of its values by their ends. ARGV: what comes before a name in a value's key.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local told = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
  local value = redis.call('GET', ARGV[1] .. name)
  if value then
    told[#told + 1] = name
    told[#told + 1] = value
  end
end
return told
