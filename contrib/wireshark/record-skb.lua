-- SPDX-License-Identifier: GPL-2.0
-- record-skb.lua: fields of trace-cmd report-skb --pcap for Wireshark and tshark
--
-- Copy this file to ~/.local/lib/wireshark/plugins, or use it once:
--
--    tshark -X lua_script:record-skb.lua -r out.pcapng -Y 'record_skb.verdict == "dropped"'
--
-- A packet has a frame for each device that it passed, and each of them has the verdict. To count packets:
--
--    tshark … -Y 'record_skb.verdict == "dropped" and record_skb.last'
--
-- report-skb writes the fields to the second comment of each frame, and the call graph of a packet to the third
-- comment of its last frame. It writes at most 1,000 call graphs. To find the packets that a function processed:
--
--    tshark … -Y 'record_skb.call == "nf_hook_slow"'
--
-- To find the packets of slow requests. A request is identified by the packet that brought its last byte:
--
--    tshark … -Y 'record_skb.request_ns > 100000000' -T fields -e record_skb.packet -e record_skb.request_part

local skb = Proto("record_skb", "What the kernel did (record-skb)")

local kinds = {
	packet = { ProtoField.uint32, "Packet" },
	copy = { ProtoField.uint32, "Copy" },
	flow = { ProtoField.uint32, "Flow" },
	host = { ProtoField.string, "Host" },
	last = { ProtoField.bool, "Last device of this copy" },
	incomplete = { ProtoField.bool, "Entries were lost" },
	duration_ns = { ProtoField.uint64, "Duration", "ns" },
	stack_ns = { ProtoField.uint64, "Time in functions", "ns" },
	waiting_ns = { ProtoField.uint64, "Waiting", "ns" },
	calls = { ProtoField.uint64, "Function calls" },
	pid = { ProtoField.uint32, "Task that sent it" },
	task = { ProtoField.string, "Name of that task" },
	request = { ProtoField.uint32, "Request (packet of its last byte)" },
	request_ns = { ProtoField.uint64, "Duration of the request", "ns" },
	request_part = { ProtoField.string, "Longest part of the request" },
	verdict = { ProtoField.string, "Verdict" },
	["function"] = { ProtoField.string, "Function" },
	reason = { ProtoField.string, "Drop reason" },
	call = { ProtoField.string, "Call" },
}
local fields = {}
for name, kind in pairs(kinds) do
	fields[name] = kind[1]("record_skb." .. name, kind[2])
end
skb.fields = fields

local dropped = ProtoExpert.new("record_skb.dropped", "The kernel dropped this packet", expert.group.SEQUENCE,
	expert.severity.WARN)
skb.experts = { dropped }

local comments = Field.new("frame.comment")

-- Add a value to the tree. Numbers become 64 bits only where the field has them. A comment of another program may have
-- the same beginning, so a value that is not a number is left out.
local function add(tree, name, value)
	local kind = kinds[name]
	if not kind then return end
	if kind[1] == ProtoField.string then
		tree:add(fields[name], value)
	elseif kind[1] == ProtoField.bool then
		if value == "1" then tree:add(fields[name], true) end
	elseif not value:match("^%d+$") or #value > 19 then
		return
	elseif kind[1] == ProtoField.uint64 then
		local item = tree:add(fields[name], UInt64.new(value))
		if kind[3] then item:append_text(" " .. kind[3]) end
	elseif tonumber(value) < 2 ^ 32 then
		tree:add(fields[name], tonumber(value))
	end
end

local function show(text, buffer, pinfo, root)
	local tree = root:add(skb, buffer())
	local facts, reason = text:match("^record_skb: (.-); reason=(.*)$")
	local verdict

	for name, value in (facts or text:sub(13)):gmatch("(%l[%l_]*)=([^;]*)") do
		add(tree, name, value)
		if name == "verdict" then verdict = value end
	end
	if reason then add(tree, "reason", reason) end
	if verdict then tree:append_text(": " .. verdict .. (reason and " (" .. reason .. ")" or "")) end
	if verdict == "dropped" then tree:add_proto_expert_info(dropped) end
end

-- Show a call graph as a tree. Each line of a function is "TIME |INDENTATION NAME() {", without "{" if nothing is nested,
-- and the time of a function with nested functions is in the line of its "}".
local function show_graph(text, buffer, root)
	local graph = root:add(skb, buffer(), "Call graph")
	local open, items = {}, { graph }

	for line in text:sub(19):gmatch("[^\n]+") do
		local time, blanks, call = line:match("^ *([%d.]* ?%l*) *|(%s*)(.*)$")
		local name = call and call:match("^([%w_.]+)%(%)")
		local parent = items[#items]

		if not call or line:sub(1, 2) == "--" then
			if line:sub(1, 2) == "--" then
				open, items = {}, { graph:add(skb, buffer(), (line:gsub("^%-%- *", ""))) }
			else
				parent:add(skb, buffer(), (line:gsub("^ *", "")))
			end
		elseif call:sub(1, 1) == "}" then
			while #open > 0 and #open[#open] > #blanks do
				table.remove(open)
				table.remove(items)
			end
			if #open > 0 then
				items[#items]:append_text("  " .. time)
				table.remove(open)
				table.remove(items)
			end
		elseif name then
			local item = parent:add(fields.call, name)

			item:set_text(name .. "()" .. (time ~= "" and "  " .. time or ""))
			if call:sub(-1) == "{" then
				open[#open + 1], items[#items + 1] = blanks, item
			end
		else
			parent:add(skb, buffer(), call)
		end
	end
end

function skb.dissector(buffer, pinfo, root)
	for _, comment in ipairs({ comments() }) do
		local text = tostring(comment.value)
		if text:sub(1, 12) == "record_skb: " then show(text, buffer, pinfo, root) end
		if text:sub(1, 18) == "record_skb_graph:\n" then show_graph(text, buffer, root) end
	end
end

register_postdissector(skb)

-- A colour rule for this session; colorfilters in this folder is a lasting one.
if gui_enabled() then set_color_filter_slot(1, 'record_skb.verdict == "dropped"') end
