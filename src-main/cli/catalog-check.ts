import { resolve } from 'node:path'

import { checkCatalog } from './check-catalog'
import { readJson } from './read-json'

/** `patchbay catalog check FILE`: prints the state of a registry's entries as JSON. Throws INVALID_REQUEST. */
export function catalogCheck(file: string): void {
  const report = checkCatalog(readJson(resolve(file)))
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
}
