/** Describes how a program parses its arguments. */
export type Options = {
  /** Words after the program, with options between them; empty if the program itself is meant. */
  readonly verbs: readonly (readonly string[])[]
  readonly flags: ReadonlySet<string>
  readonly valued: ReadonlySet<string>
}

/** A program that fetches packages and starts one of their programs. */
export type PackageRunner = Options & {
  /** Options that name a package, so that the first argument can be any program. */
  readonly packages: ReadonlySet<string>
  /** Options that run a line of text, or choose what runs it. */
  readonly calls: ReadonlySet<string>
  /** Whether it starts the system's programs even without such an option. */
  readonly runsAny?: boolean
  /** Whether it also reads options after the program, up to `--`. */
  readonly readsAll?: boolean
}

/** A program that starts the one after its options. */
export type Wrapper = Options & {
  readonly skips: RegExp
  /** Number of operands that precede that program. */
  readonly operands: number
}

const NONE: ReadonlySet<string> = new Set()
const ASSIGNMENT = /^[\w%()]+=/

const NPX = {
  flags: new Set(['-y', '--yes', '-q', '--quiet', '-s', '--silent', '--no', '--offline']),
  valued: new Set(['-p', '--package', '--registry', '--loglevel', '-c', '--call', '-w']),
  packages: new Set(['-p', '--package']),
  calls: new Set([
    ...['-c', '--call', '--shell', '--script-shell', '--node-options', '-n', '--node-arg'],
    ...['--shell-mode', '--shell-auto-fallback', '--prefix', '--userconfig', '--globalconfig'],
  ]),
} as const
const UVX = {
  flags: new Set(['-q', '--quiet', '--offline', '--isolated', '--refresh', '--no-cache', '-n']),
  valued: new Set([
    ...['--from', '--with', '-w', '--python', '-p', '--index', '--default-index', '--index-url'],
    ...['-i', '--extra-index-url', '--find-links', '-f', '--constraints', '-c', '--env-file'],
    ...['--with-editable', '--with-requirements', '--directory', '--project', '--cache-dir'],
  ]),
  packages: new Set(['--from']),
  calls: NONE,
} as const
const PIPX = {
  flags: new Set(['--no-cache', '--verbose', '-q', '--quiet', '--fetch-missing-python']),
  valued: new Set(['--spec', '--python', '--pip-args', '--index-url', '-i', '--with']),
  packages: new Set(['--spec']),
  calls: NONE,
} as const
const BUNX = { ...NPX, flags: new Set([...NPX.flags, '--bun', '--verbose', '--no-install']) }
const ANY = { flags: NONE, valued: NONE, packages: NONE, calls: NONE, runsAny: true } as const

/** Package runners by program name. */
export const PACKAGE_RUNNERS: ReadonlyMap<string, readonly PackageRunner[]> = new Map([
  ['npx', [{ ...NPX, verbs: [] }]],
  ['npm', [{ ...NPX, readsAll: true, verbs: [['exec'], ['x']] }]],
  ['pnpx', [{ ...NPX, verbs: [] }]],
  [
    'pnpm',
    [
      { ...NPX, verbs: [['dlx']] },
      { ...ANY, verbs: [['exec']] },
    ],
  ],
  [
    'yarn',
    [
      { ...NPX, verbs: [['dlx']] },
      { ...ANY, verbs: [['exec'], ['node'], ['run']] },
    ],
  ],
  ['bunx', [{ ...BUNX, verbs: [] }]],
  ['bun', [{ ...BUNX, verbs: [['x']] }]],
  ['uvx', [{ ...UVX, verbs: [] }]],
  [
    'uv',
    [
      { ...UVX, verbs: [['tool', 'run'], ['x']] },
      { ...UVX, packages: NONE, runsAny: true, verbs: [['run']] },
    ],
  ],
  ['pipx', [{ ...PIPX, verbs: [['run'], ['runpip']] }]],
])

/** `env`, `sudo` and similar wrappers by program name. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...wrappers(['env', 'cross-env', 'env-cmd', 'dotenv', 'nix-shell'], [], 0),
  ...wrappers(['sudo', 'doas', 'runuser', 'pkexec', 'setpriv'], [], 0),
  ...wrappers(['nice', 'ionice', 'nohup', 'setsid', 'stdbuf', 'time', 'caffeinate'], [], 0),
  ...wrappers(['xargs', 'parallel', 'exec', 'start', 'start-stop-daemon', 'arch'], [], 0),
  ...wrappers(['unshare', 'nsenter', 'bwrap', 'firejail', 'proot', 'systemd-run'], [], 0),
  ...wrappers(['watch', 'unbuffer', 'winpty', 'tini', 'dumb-init'], [], 0),
  ...wrappers(['xvfb-run', 'dbus-run-session', 'dbus-launch'], [], 0),
  ...wrappers(['timeout', 'flock', 'chroot', 'taskset', 'chrt', 'gosu', 'su-exec'], [], 1),
  ...wrappers(['faketime'], [], 1),
  ...wrappers(['poetry', 'pdm', 'hatch', 'rye', 'pipenv', 'pixi', 'conda'], [['run']], 0),
  ...wrappers(['mamba', 'micromamba', 'devbox', 'volta', 'op', 'doppler'], [['run']], 0),
  ...wrappers(['infisical', 'dotenvx'], [['run']], 0),
  ...wrappers(['mise', 'asdf', 'rtx', 'direnv', 'fnm', 'nvm', 'aws-vault'], [['exec'], ['x']], 1),
  ...wrappers(['rbenv', 'pyenv', 'bundle'], [['exec']], 0),
  ...wrappers(['nix'], [['shell'], ['develop'], ['run']], 1),
])

function wrappers(
  names: readonly string[],
  verbs: readonly (readonly string[])[],
  operands: number,
): (readonly [string, Wrapper])[] {
  const wrapper = { verbs, operands, flags: NONE, valued: NONE, skips: ASSIGNMENT }
  return names.map((name) => [name, wrapper] as const)
}
