import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import type { RunnerView } from '../../../../src-shared/domain/running/runner-advice'
import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import { isRunnerNeeded, RunnerState } from './runner-section'

const missing: RunnerView = {
  runner: 'uvx',
  source: 'found',
  problem: 'uvx was not found on this computer.',
}

const drawn = (view: RunnerView, isNeeded: boolean): string =>
  renderToStaticMarkup(createElement(RunnerState, { view, isNeeded }))

describe('B5: runner in the settings', () => {
  it('is neutral if it is missing and no server needs it', () => {
    const text = drawn(missing, false)
    expect(text.trim()).toBe('uvx was not found on this computer. Not used by your servers.')
  })

  it.each<[string, RunnerView, boolean]>([
    ['that a server needs', missing, true],
    ['whose path was set manually', { ...missing, source: 'set' }, false],
  ])('shows an error if it is one %s', (_what, view, isNeeded) => {
    const text = drawn(view, isNeeded)
    expect(text).toContain('is-error')
    expect(text).not.toContain('Not used by your servers.')
  })

  it.each([
    ['pypi', 'mcp-server-time', true],
    ['npm', 'uvx', false],
    [OWN_COMMAND, 'uvx', true],
    [OWN_COMMAND, 'node', false],
    ['streamable-http', 'https://uvx.example', false],
  ])('is needed by a server of %s %s: %s', (registryType, identifier, isNeeded) => {
    expect(isRunnerNeeded('uvx', [{ registryType, identifier }])).toBe(isNeeded)
  })
})
