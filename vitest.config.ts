import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes long by itself: begun last, it would run on alone. */
const LONGEST = [
  'bench/soak/',
  'src-main/real-runners',
  'e2e/faults/',
  'e2e/conformance/',
  'session-supervisor.health',
  'file-editor-killed',
]

/** Without a record of earlier runs a fresh clone would begin with the largest files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((part) => moduleId.includes(part))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    // Most of a test's time is waiting for programs that it started; by default two cores get one worker.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'src-{main,shared,renderer}/**/*.test.ts',
            'e2e/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          // Ends what hangs; on a computer that does much else many a program starts in that time.
          testTimeout: 120_000,
          // What comes later is waited for, however busy the machine is.
          expect: { poll: { timeout: 30_000 } },
          // Hooks end real programs and remove what they left on the disk.
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
