// Exits like a Python server that uses a part of mcp 1 but got mcp 2.
process.stderr.write("AttributeError: 'Server' object has no attribute 'list_resources'\n")
process.exitCode = 1
