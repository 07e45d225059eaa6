import { resolve } from 'node:path'

import { planCase } from './plan-case'
import { readJson } from './read-json'

/** `patchbay plan FILE`: prints what one case or each of a list becomes, as JSON. Throws INVALID_REQUEST. */
export function plan(file: string): void {
  const cases = readJson(resolve(file))
  const result = Array.isArray(cases) ? cases.map(planCase) : planCase(cases)
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
}
