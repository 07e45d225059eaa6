import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import type { CauseRow } from './cause-row'
import { NODE_CAUSES } from './node-causes'
import { NPM_CAUSES } from './npm-causes'
import { PYTHON_CAUSES } from './python-causes'
import { SETTING_CAUSES } from './setting-causes'

/** Of a line; a hostile one takes no time. */
const LONGEST_LINE = 1_000
/** Of what a sentence repeats of a line. */
const LONGEST_NAME = 120

/** The first that fits counts: those that know more stand before those that know less. */
export const CAUSES: readonly CauseRow[] = [
  ...NPM_CAUSES,
  ...PYTHON_CAUSES,
  ...NODE_CAUSES,
  ...SETTING_CAUSES,
]

/** The cause that masked lines tell, oldest first; undefined where none is known: then nothing is claimed. */
export function causeOf(lines: readonly string[]): FailureCause | undefined {
  const cut = lines.map((line) => line.slice(0, LONGEST_LINE))
  for (const { causeId, says, sentence, step } of CAUSES) {
    const found = cut.map((line) => matchIn(line, says)).find((match) => match !== undefined)
    if (found === undefined) continue
    const [first, second] = [shortName(found[1]), shortName(found[2])]
    return {
      causeId,
      sentence: sentence(first, second),
      step: typeof step === 'function' ? step(first) : step,
    }
  }
  return undefined
}

function matchIn(line: string, says: readonly RegExp[]): RegExpExecArray | undefined {
  for (const pattern of says) {
    const match = pattern.exec(line)
    if (match) return match
  }
  return undefined
}

function shortName(text = ''): string {
  const name = cleanLine(text)
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
}
