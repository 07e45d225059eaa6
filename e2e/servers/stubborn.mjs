// Never responds and ignores both the end of stdin and SIGTERM: only SIGKILL ends it.
process.on('SIGTERM', () => process.stderr.write('SIGTERM ignored\n'))
process.stdin.resume()
setInterval(() => {}, 1_000)
process.stderr.write('Not leaving\n')
