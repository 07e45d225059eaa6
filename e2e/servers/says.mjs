// Writes its arguments to stderr, one per line, and exits with code 1.
for (const line of process.argv.slice(2)) process.stderr.write(`${line}\n`)
process.exitCode = 1
