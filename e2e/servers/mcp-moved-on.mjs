// Ends as a Python server does that uses a part of mcp 1 and got mcp 2.
process.stderr.write("AttributeError: 'Server' object has no attribute 'list_resources'\n")
process.exitCode = 1
