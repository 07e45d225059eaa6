import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import * as z from 'zod'

import type { SettingsChange } from '../../src-shared/domain/state/settings'
import type { RealTool } from '../fixtures/real-tools'

const run = promisify(execFile)
const NAME = '@modelcontextprotocol/conformance'
const KEPT = resolve('.build', 'conformance')
/** In ms. */
const FETCH_MS = 180_000
const SCENARIO_MS = 40_000

/** Suite versions: the latest release, and a prerelease that covers 2026-07-28. */
export type SuiteVersion = '0.1.16' | '0.2.0-alpha.12'

/** A scenario's result; a warning concerns a SHOULD. */
export type ScenarioResult = {
  readonly scenario: string
  readonly isPassed: boolean
  readonly passed: number
  readonly failed: number
  readonly warnings: number
  /** Messages of the failed checks. */
  readonly said: readonly string[]
  /** Output of the driver. */
  readonly output: string
}

const Checks = z.array(
  z.object({
    id: z.string(),
    status: z.string(),
    description: z.string().optional(),
    errorMessage: z.string().optional(),
  }),
)

/** The suite in the project's folder, fetched once for all callers; `folder` contains its packages. */
export async function fetchSuite(version: SuiteVersion): Promise<RealTool> {
  const folder = join(KEPT, version)
  const mark = join(folder, 'complete')
  if (existsSync(mark)) return { kind: 'there', folder }
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const quick = ['--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0']
    const shell = process.platform === 'win32'
    await run('npm', ['install', ...quick, `${NAME}@${version}`], {
      cwd: folder,
      timeout: FETCH_MS,
      shell,
    })
    writeFileSync(mark, '')
    return { kind: 'there', folder }
  } catch {
    return { kind: 'missing', reason: `${NAME} ${version} is out of reach` }
  }
}

/** Runs one scenario of the suite in `folder` with a built driver. */
export async function runScenario(
  folder: string,
  {
    scenario,
    driver,
    specVersion,
    settings = {},
  }: {
    readonly scenario: string
    readonly driver: string
    readonly specVersion?: string
    /** Patchbay's settings. */
    readonly settings?: SettingsChange | undefined
  },
): Promise<ScenarioResult> {
  const command = `"${process.execPath}" "${driver}"`
  const spec = specVersion === undefined ? [] : ['--spec-version', specVersion]
  const args = ['client', '--command', command, '--scenario', scenario, ...spec]
  const env = { CONFORMANCE_SETTINGS: JSON.stringify(settings) }
  return runCommand(folder, scenario, [...args, '--timeout', '30000'], env)
}

/** Runs one scenario of the suite in `folder` against the server at `url`. */
export async function runServerScenario(
  folder: string,
  { scenario, url, specVersion }: { scenario: string; url: string; specVersion?: string },
): Promise<ScenarioResult> {
  const spec = specVersion === undefined ? [] : ['--spec-version', specVersion]
  return runCommand(folder, scenario, ['server', '--url', url, '--scenario', scenario, ...spec])
}

async function runCommand(
  folder: string,
  scenario: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ScenarioResult> {
  const out = mkdtempSync(join(tmpdir(), 'patchbay-conformance-'))
  const entry = join(folder, 'node_modules', NAME, 'dist', 'index.js')
  try {
    const ended = await run(process.execPath, [entry, ...args, '-o', out], {
      timeout: SCENARIO_MS,
      env: { ...process.env, ...env },
    }).then(
      () => true,
      () => false,
    )
    return { scenario, ...readResult(out, ended) }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

function readResult(out: string, isPassed: boolean): Omit<ScenarioResult, 'scenario'> {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
  const read = (name: string): string => {
    const found = files.find((file) => file.endsWith(name))
    return found === undefined ? '' : readFileSync(join(out, found), 'utf8')
  }
  const checks = Checks.parse(JSON.parse(read('checks.json') || '[]'))
  const count = (status: string): number => checks.filter((one) => one.status === status).length
  const said = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, description = '', errorMessage = description }) => `${id}: ${errorMessage}`)
  return {
    isPassed: isPassed && count('FAILURE') === 0,
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    said,
    output: `${read('stdout.txt')}${read('stderr.txt')}`,
  }
}
