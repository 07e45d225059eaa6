// Exits immediately with code 3 and a reason on stderr.
process.stderr.write('Missing the one thing it needs\n')
process.exitCode = 3
