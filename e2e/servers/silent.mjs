// Reads and never responds; exits when stdin ends.
process.stderr.write('Waiting for nothing\n')
process.stdin.on('end', () => process.exit(0)).resume()
