import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type {
  RunnerProblem,
  RunnerSetup,
  SetupStep,
} from '../../../../src-shared/domain/running/runner-advice'

type KnownSetup = {
  readonly setupId: string
  readonly runner: RunnerName
  readonly platforms: readonly NodeJS.Platform[]
  /** What it fixes. */
  readonly problems: readonly RunnerProblem[]
  readonly title: string
  readonly steps: readonly SetupStep[]
  /** Its last step needs an administrator, where nobody can be asked for a password. */
  readonly elevated?: boolean
  readonly note?: string
}

const UNIX: readonly NodeJS.Platform[] = ['darwin', 'linux']
const INSTALL: readonly RunnerProblem[] = ['missing']
const INSTALL_OR_UPDATE: readonly RunnerProblem[] = ['missing', 'tooOld']
const NVM = 'https://raw.githubusercontent.com/nvm-sh/nvm/v0.41.0/install.sh'

/** Holds for each address that the first leads on to. */
const HTTPS_ONLY = ['--proto', '=https', '--tlsv1.2']

/** A script is fetched and then run, two commands without a shell between them. */
function fetched(url: string, file: string, run: readonly string[]): SetupStep[] {
  const [command = 'sh', ...args] = run
  return [
    { command: 'curl', args: [...HTTPS_ONLY, '-fsSL', url, '-o', file] },
    { command, args },
  ]
}

function winget(id: string): SetupStep[] {
  const agreed = ['--accept-source-agreements', '--accept-package-agreements']
  return [{ command: 'winget', args: ['install', '-e', '--id', id, ...agreed] }]
}

/** The official commands of each runner; `docs/runners.md` names their sources. */
const SETUPS: readonly KnownSetup[] = [
  {
    setupId: 'node-winget',
    runner: 'npx',
    platforms: ['win32'],
    problems: INSTALL_OR_UPDATE,
    title: 'Install Node.js with winget',
    steps: winget('OpenJS.NodeJS.LTS'),
  },
  {
    setupId: 'node-brew',
    runner: 'npx',
    platforms: ['darwin'],
    problems: INSTALL_OR_UPDATE,
    title: 'Install Node.js with Homebrew',
    steps: [{ command: 'brew', args: ['install', 'node'] }],
  },
  {
    setupId: 'node-nvm',
    runner: 'npx',
    platforms: UNIX,
    problems: INSTALL_OR_UPDATE,
    title: 'Install Node.js with nvm',
    steps: fetched(NVM, 'install-nvm.sh', ['env', 'NODE_VERSION=24', 'bash', 'install-nvm.sh']),
    note: 'Adds a few lines to your shell profile.',
  },
  {
    setupId: 'uv-winget',
    runner: 'uvx',
    platforms: ['win32'],
    problems: INSTALL,
    title: 'Install uv with winget',
    steps: winget('astral-sh.uv'),
  },
  {
    setupId: 'uv-script',
    runner: 'uvx',
    platforms: UNIX,
    problems: INSTALL,
    title: 'Install uv with its installer',
    steps: fetched('https://astral.sh/uv/install.sh', 'install-uv.sh', ['sh', 'install-uv.sh']),
  },
  {
    setupId: 'uv-brew',
    runner: 'uvx',
    platforms: ['darwin'],
    problems: INSTALL,
    title: 'Install uv with Homebrew',
    steps: [{ command: 'brew', args: ['install', 'uv'] }],
  },
  {
    setupId: 'uv-pipx',
    runner: 'uvx',
    platforms: ['darwin', 'linux', 'win32'],
    problems: INSTALL,
    title: 'Install uv with pipx',
    steps: [{ command: 'pipx', args: ['install', 'uv'] }],
  },
  {
    setupId: 'docker-winget',
    runner: 'docker',
    platforms: ['win32'],
    problems: INSTALL,
    title: 'Install Docker Desktop with winget',
    steps: winget('Docker.DockerDesktop'),
    note: 'Open Docker Desktop once after the installation.',
  },
  {
    setupId: 'docker-brew',
    runner: 'docker',
    platforms: ['darwin'],
    problems: INSTALL,
    title: 'Install Docker Desktop with Homebrew',
    steps: [{ command: 'brew', args: ['install', '--cask', 'docker-desktop'] }],
    note: 'Open Docker Desktop once after the installation and enter your password.',
  },
  {
    setupId: 'docker-script',
    runner: 'docker',
    platforms: ['linux'],
    problems: INSTALL,
    title: 'Install Docker with its installer',
    steps: fetched('https://get.docker.com', 'get-docker.sh', ['sh', 'get-docker.sh']),
    elevated: true,
  },
  {
    setupId: 'docker-open',
    runner: 'docker',
    platforms: ['darwin'],
    problems: ['notRunning'],
    title: 'Open Docker Desktop',
    steps: [{ command: 'open', args: ['-a', 'Docker'] }],
    note: 'Docker takes a while to start. Then start the server again.',
  },
  {
    setupId: 'docker-service',
    runner: 'docker',
    platforms: ['linux'],
    problems: ['notRunning'],
    title: 'Start the Docker service',
    steps: [{ command: 'systemctl', args: ['start', 'docker'] }],
    elevated: true,
  },
  {
    setupId: 'dotnet-winget',
    runner: 'dnx',
    platforms: ['win32'],
    problems: INSTALL,
    title: 'Install the .NET SDK 10 with winget',
    steps: winget('Microsoft.DotNet.SDK.10'),
  },
  {
    setupId: 'dotnet-script',
    runner: 'dnx',
    platforms: UNIX,
    problems: INSTALL,
    title: 'Install the .NET SDK 10 with its installer',
    steps: fetched('https://dot.net/v1/dotnet-install.sh', 'dotnet-install.sh', [
      ...['bash', 'dotnet-install.sh', '--channel', '10.0'],
    ]),
  },
]

/** What decides whether a setup can run on this computer. */
export type SetupPlace = {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  readonly hasProgram: (command: string) => Promise<boolean>
}

/** The setups that fix a problem of a runner here, those that can be run first. */
export async function setupsFor(
  runner: RunnerName,
  problem: RunnerProblem,
  place: SetupPlace,
): Promise<RunnerSetup[]> {
  const known = SETUPS.filter(
    (setup) =>
      setup.runner === runner &&
      setup.problems.includes(problem) &&
      setup.platforms.includes(place.platform),
  )
  const setups = await Promise.all(known.map((setup) => describe(setup, place)))
  return setups.toSorted((a, b) => Number(b.canRun) - Number(a.canRun))
}

/** The setup of that id on this platform, with its runner. */
export async function findSetup(
  setupId: string,
  place: SetupPlace,
): Promise<{ readonly runner: RunnerName; readonly setup: RunnerSetup } | undefined> {
  const known = SETUPS.find((one) => one.setupId === setupId)
  if (!known?.platforms.includes(place.platform)) return undefined
  return { runner: known.runner, setup: await describe(known, place) }
}

async function describe(known: KnownSetup, place: SetupPlace): Promise<RunnerSetup> {
  const { setupId, title, elevated = false } = known
  const asksForPassword = elevated && !place.isRoot
  const steps = known.steps.map((step, index) =>
    asksForPassword && index === known.steps.length - 1
      ? { command: 'sudo', args: [step.command, ...step.args] }
      : { command: step.command, args: [...step.args] },
  )
  const first = known.steps[0]?.command ?? ''
  const isThere = await place.hasProgram(first)
  const why = asksForPassword
    ? 'The command asks for your password. Run it in a terminal, then start the server again.'
    : isThere
      ? known.note
      : `${first} isn’t on this computer.`
  return { setupId, title, steps, canRun: isThere && !asksForPassword, note: why }
}
