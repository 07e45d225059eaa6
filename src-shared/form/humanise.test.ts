import { expect, it } from 'vitest'

import { humanise } from './humanise'

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
  expect(humanise(name)).toBe(words)
})
