// Says its arguments on stderr, each on a line of its own, and ends with code 1.
for (const line of process.argv.slice(2)) process.stderr.write(`${line}\n`)
process.exitCode = 1
