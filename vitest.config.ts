import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The long tier in parts (docs/testing.md): load, memory, network access, or long waits. */
const LONG = {
  faults: ['e2e/faults/{answering,ending,hanging,sending}.test.ts'],
  soak: ['bench/soak/soak.test.ts', 'bench/soak/gateway/gateway-soak.test.ts'],
  benches: ['bench/every-bench.test.ts'],
  runners: [
    'e2e/core/servers/real-{python,repair,runners}.test.ts',
    'e2e/core/network/company-uvx.test.ts',
  ],
  'agents-restart': ['e2e/real-agents/agents-restart.test.ts'],
  sleeping: ['e2e/core/network/sleeping.test.ts'],
  differential: ['e2e/differential/{odd,published}-servers.test.ts'],
  vet: ['src-main/cli/vet.test.ts', 'e2e/vet/{command,findings,packages,published-vet}.test.ts'],
  'vet-field': ['e2e/vet/field-vet.test.ts'],
  conformance: ['e2e/conformance/conformance.test.ts'],
  packaging: ['e2e/packaging/packages.test.ts'],
  docker: ['e2e/docker/docker.test.ts'],
  'npm-package': ['e2e/npm-package.test.ts'],
  waits: [
    'scripts/tests/second-look.test.mjs',
    'e2e/bridge-away.test.ts',
    'src-main/core/metrics/metrics-exporter.test.ts',
    'src-main/core/apps/files/{file-editor-killed,large-file}.test.ts',
    'src-main/core/catalog/catalog-killed.test.ts',
    'src-main/core/process/spawn/docker-container.test.ts',
    'src-main/core/mcp/connections/streamable-http.test.ts',
    'src-main/core/servers/server.{health,install,loss,model,patience}.test.ts',
    'e2e/core/elicitation/elicitation.test.ts',
    'e2e/core/servers/{oddities,overlaps}.test.ts',
  ],
}

/** Gate tests that need their own process: module-level stores, or libsecret's single connection. */
const STATEFUL = [
  'src-renderer/stores/**/*.test.ts',
  'src-renderer/ipc/call.test.ts',
  'src-main/adapters/keytar-secret-store{,.locked,.no-bus}.test.ts',
]

/** Long files that start first, because a late one would run alone at the end. */
const LONGEST = [
  'src-main/patchbay/',
  'core/servers/',
  'core/mcp/',
  'core/gateway/',
  'e2e/',
  'core/process/',
]

/** A fresh clone has no record of durations, and would start with the largest files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((part) => moduleId.includes(part))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const SHARED = {
  environment: 'node',
  // Ends hanging tests; on a busy computer a test that spawns many programs takes this long.
  testTimeout: 120_000,
  // Long enough for a busy machine.
  expect: { poll: { timeout: 60_000 } },
  // Hooks end real programs and remove their files.
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    // Tests mostly wait for the programs they start; the default for two cores is one worker.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...SHARED,
          name: 'gate',
          // A worker loads each module once for all its files, which saves two fifths of the CPU time.
          isolate: false,
          include: [
            'src-{main,shared,renderer}/**/*.test.ts',
            '{e2e,bench}/**/*.test.ts',
            'scripts/**/*.test.mjs',
          ],
          exclude: [...configDefaults.exclude, ...Object.values(LONG).flat(), ...STATEFUL],
        },
      },
      { test: { ...SHARED, name: 'gate-alone', include: STATEFUL } },
      ...Object.entries(LONG).map(([name, include]) => ({ test: { ...SHARED, name, include } })),
    ],
  },
})
