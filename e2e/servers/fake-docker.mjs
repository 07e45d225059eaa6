// Imitates docker and its daemon for the few commands that Patchbay uses. argv[2] is its folder: `containers/NAME` has the pid of each
// container, `calls` every command line. `run` starts the fixture server with the image's name as a process that is no descendant of the
// client; its environment has only what `-e NAME` passes.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , home, verb, ...args] = process.argv
const fileOf = (name) => join(home, 'containers', name)
const pidOf = (name) => Number(readFileSync(fileOf(name), 'utf8'))
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

function signal(name, which) {
  try {
    process.kill(pidOf(name), which)
    return true
  } catch {
    return false // it has ended
  }
}

async function untilEnded(name, ms = Infinity) {
  const deadline = Date.now() + ms
  while (existsSync(fileOf(name)) && signal(name, 0) && Date.now() < deadline) await pause(20)
}

function refuse(name) {
  process.stderr.write(`Error response from daemon: No such container: ${name}\n`)
  process.exit(1)
}

function handedOn() {
  const names = args.filter((_, index) => args[index - 1] === '-e')
  const known = names.filter((name) => name in process.env)
  return Object.fromEntries(known.map((name) => [name, process.env[name]]))
}

async function run() {
  const name = args[args.indexOf('--name') + 1]
  // A client lives as long as its container, hands on SIGTERM and leaves the pipes to it.
  process.on('SIGTERM', () => signal(name, 'SIGTERM'))
  const [image, ...rest] = args.slice(args.findIndex((arg) => arg.endsWith('.mjs')))
  const boot = [import.meta.filename, home, 'boot', name, image.split('/').at(-1), ...rest]
  const options = { stdio: 'inherit', env: handedOn(), detached: true }
  const between = spawn(process.execPath, boot, options)
  await new Promise((resolve) => between.once('exit', resolve))
  await untilEnded(name)
  rmSync(fileOf(name), { force: true })
  process.exit(0)
}

function boot() {
  const [name, script, ...rest] = args
  const options = { stdio: 'inherit', detached: true }
  const container = spawn(process.execPath, [join(import.meta.dirname, script), ...rest], options)
  writeFileSync(fileOf(name), String(container.pid))
  process.exit(0)
}

if (verb !== 'boot') appendFileSync(join(home, 'calls'), `${[verb, ...args].join(' ')}\n`)
const name = args.at(-1)
if (verb === 'run') await run()
else if (verb === 'boot') boot()
else if (verb === 'pull') process.stderr.write(`pulled by ${process.env.HTTPS_PROXY}\n`)
else if (verb === 'stop') {
  if (!existsSync(fileOf(name))) refuse(name)
  signal(name, 'SIGTERM')
  await untilEnded(name, Number(args[args.indexOf('-t') + 1]) * 1_000)
  signal(name, 'SIGKILL')
  process.stdout.write(`${name}\n`)
} else if (verb === 'rm') {
  if (!existsSync(fileOf(name))) refuse(name)
  signal(name, 'SIGKILL')
  rmSync(fileOf(name), { force: true })
  process.stdout.write(`${name}\n`)
}
