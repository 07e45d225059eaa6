import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type {
  RunnerProblem,
  RunnerSetup,
  SetupStep,
} from '../../../../src-shared/domain/running/runner-advice'

type SetupDefinition = {
  readonly setupId: string
  readonly runner: RunnerName
  readonly platforms: readonly NodeJS.Platform[]
  /** Problems that it fixes; a missing program if absent. */
  readonly problems?: readonly RunnerProblem[]
  readonly title: string
  readonly steps: readonly SetupStep[]
  /** Whether its last step needs an administrator, and no password can be requested. */
  readonly elevated?: boolean
  readonly note?: string
}

const UNIX: readonly NodeJS.Platform[] = ['darwin', 'linux']
const INSTALL_OR_UPDATE: readonly RunnerProblem[] = ['missing', 'tooOld']
const NVM = 'https://raw.githubusercontent.com/nvm-sh/nvm/v0.41.0/install.sh'

/** Applies to each redirect, too. */
const HTTPS_ONLY = ['--proto', '=https', '--tlsv1.2']

type Way = Pick<SetupDefinition, 'platforms' | 'steps'>

/** Fetches a script and then runs it: two commands without a shell between them. */
function fetched(url: string, file: string, run: readonly string[]): Way {
  const [command = 'sh', ...args] = run
  const fetching = { command: 'curl', args: [...HTTPS_ONLY, '-fsSL', url, '-o', file] }
  return { platforms: UNIX, steps: [fetching, { command, args }] }
}

function winget(id: string): Way {
  const agreed = ['--accept-source-agreements', '--accept-package-agreements']
  const step = { command: 'winget', args: ['install', '-e', '--id', id, ...agreed] }
  return { platforms: ['win32'], steps: [step] }
}

function brew(...names: readonly string[]): Way {
  return { platforms: ['darwin'], steps: [{ command: 'brew', args: ['install', ...names] }] }
}

/** The official commands of each runner; `docs/runners.md` names their sources. */
const SETUPS: readonly SetupDefinition[] = [
  {
    setupId: 'node-winget',
    runner: 'npx',
    problems: INSTALL_OR_UPDATE,
    title: 'Install Node.js with winget',
    ...winget('OpenJS.NodeJS.LTS'),
  },
  {
    setupId: 'node-brew',
    runner: 'npx',
    problems: INSTALL_OR_UPDATE,
    title: 'Install Node.js with Homebrew',
    ...brew('node'),
  },
  {
    setupId: 'node-nvm',
    runner: 'npx',
    problems: INSTALL_OR_UPDATE,
    title: 'Install Node.js with nvm',
    ...fetched(NVM, 'install-nvm.sh', ['env', 'NODE_VERSION=24', 'bash', 'install-nvm.sh']),
    note: 'Adds a few lines to your shell profile.',
  },
  {
    setupId: 'uv-winget',
    runner: 'uvx',
    title: 'Install uv with winget',
    ...winget('astral-sh.uv'),
  },
  {
    setupId: 'uv-script',
    runner: 'uvx',
    title: 'Install uv with its installer',
    ...fetched('https://astral.sh/uv/install.sh', 'install-uv.sh', ['sh', 'install-uv.sh']),
  },
  {
    setupId: 'uv-brew',
    runner: 'uvx',
    title: 'Install uv with Homebrew',
    ...brew('uv'),
  },
  {
    setupId: 'uv-pipx',
    runner: 'uvx',
    platforms: ['darwin', 'linux', 'win32'],
    title: 'Install uv with pipx',
    steps: [{ command: 'pipx', args: ['install', 'uv'] }],
  },
  {
    setupId: 'docker-winget',
    runner: 'docker',
    title: 'Install Docker Desktop with winget',
    ...winget('Docker.DockerDesktop'),
    note: 'Open Docker Desktop once after the installation.',
  },
  {
    setupId: 'docker-brew',
    runner: 'docker',
    title: 'Install Docker Desktop with Homebrew',
    ...brew('--cask', 'docker-desktop'),
    note: 'Open Docker Desktop once after the installation and enter your password.',
  },
  {
    setupId: 'docker-script',
    runner: 'docker',
    title: 'Install Docker with its installer',
    ...fetched('https://get.docker.com', 'get-docker.sh', ['sh', 'get-docker.sh']),
    platforms: ['linux'],
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
    title: 'Install the .NET SDK 10 with winget',
    ...winget('Microsoft.DotNet.SDK.10'),
  },
  {
    setupId: 'dotnet-script',
    runner: 'dnx',
    title: 'Install the .NET SDK 10 with its installer',
    ...fetched('https://dot.net/v1/dotnet-install.sh', 'dotnet-install.sh', [
      ...['bash', 'dotnet-install.sh', '--channel', '10.0'],
    ]),
  },
]

/** Facts that decide whether a setup can run on this computer. */
export type SetupContext = {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  readonly hasProgram: (command: string) => Promise<boolean>
}

/** Returns the setups that fix a runner's problem here, runnable ones first. */
export async function setupsFor(
  runner: RunnerName,
  problem: RunnerProblem,
  context: SetupContext,
): Promise<RunnerSetup[]> {
  const known = SETUPS.filter(
    (setup) =>
      setup.runner === runner &&
      (setup.problems ?? ['missing']).includes(problem) &&
      setup.platforms.includes(context.platform),
  )
  const setups = await Promise.all(known.map((setup) => describe(setup, context)))
  return setups.toSorted((a, b) => Number(b.canRun) - Number(a.canRun))
}

/** Returns this platform's setup with that id, with its runner. */
export async function findSetup(
  setupId: string,
  context: SetupContext,
): Promise<{ readonly runner: RunnerName; readonly setup: RunnerSetup } | undefined> {
  const definition = SETUPS.find((one) => one.setupId === setupId)
  if (!definition?.platforms.includes(context.platform)) return undefined
  return { runner: definition.runner, setup: await describe(definition, context) }
}

async function describe(definition: SetupDefinition, context: SetupContext): Promise<RunnerSetup> {
  const { setupId, title, elevated = false } = definition
  const asksForPassword = elevated && !context.isRoot
  const steps = definition.steps.map(({ command, args }, index) =>
    asksForPassword && index === definition.steps.length - 1
      ? { command: 'sudo', args: [command, ...args] }
      : { command, args: [...args] },
  )
  const first = definition.steps[0]?.command ?? ''
  const isThere = await context.hasProgram(first)
  const why = asksForPassword
    ? 'The command asks for your password. Run it in a terminal, then start the server again.'
    : isThere
      ? definition.note
      : `${first} isn’t on this computer.`
  return { setupId, title, steps, canRun: isThere && !asksForPassword, note: why }
}
