import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const [, ...walks] = readFileSync(resolve(ROOT, 'docs/walks.md'), 'utf8').split('\n## ')
/** Maximum number of files per walk. */
const MOST = [32, 32, 18]

describe('each walk through the code', () => {
  it.each(walks.map((text, index) => [text.split('\n', 1)[0], text, MOST[index]] as const))(
    'names existing files, within its maximum: %s',
    (_title, text, most = 0) => {
      const rows = text.split('\n').filter((line) => line.startsWith('|'))
      const files = rows.flatMap((row) =>
        [...row.matchAll(/`([^`]+\.tsx?)`/gu)].map(([, file = '']) => file),
      )
      const paths = files.map((file) => (file.startsWith('src-') ? file : `src-main/${file}`))
      expect(paths.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([])
      expect(new Set(paths).size).toBe(paths.length)
      expect(paths.length).toBeGreaterThan(0)
      expect(paths.length).toBeLessThanOrEqual(most)
    },
  )
})
