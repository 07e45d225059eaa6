import { expect, it } from 'vitest'

import { humanize } from './humanize'

it.each([
  ['target_dir', 'Target dir'],
  ['--read-only', 'Read only'],
  ['API_KEY', 'API key'],
  ['apiClientId', 'API client ID'],
  ['--prometheus.url', 'Prometheus URL'],
  ['GITHUB_TOKEN', 'GitHub token'],
  ['été_ñ', 'Été ñ'],
  ['--', ''],
])('%s reads "%s"', (name, words) => {
  expect(humanize(name)).toBe(words)
})
