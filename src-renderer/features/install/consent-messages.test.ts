import { describe, expect, it } from 'vitest'

import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { consentText } from './consent-footer'

const consent = { planHash: 'h', problems: [], warnings: [] }
const command: LaunchPreview = {
  kind: 'command',
  command: 'npx',
  args: [],
  env: [],
  packageName: 'p',
  ...consent,
}
const remote: LaunchPreview = {
  kind: 'remote',
  type: 'sse',
  url: { text: 'https://host.invalid', secret: false, origin: { kind: 'fixed', label: '' } },
  headers: [],
  ...consent,
}
const fresh = { approvedPlan: undefined, isNew: true, isRunning: false }

describe('D3: consent text', () => {
  it('describes a command to run, or an address to connect to', () => {
    expect(consentText({ ...fresh, preview: command }).message).toContain('will run exactly')
    expect(consentText({ ...fresh, preview: null }).message).toContain('will run exactly')
    expect(consentText({ ...fresh, preview: remote }).message).toContain('will connect to')
  })

  it.each([
    ['a new server', fresh, 'Save for later', 'Approve and start'],
    ['an installed server', { ...fresh, isNew: false }, 'Save', 'Approve and start'],
    [
      'a running server',
      { ...fresh, isNew: false, isRunning: true },
      'Save only',
      'Approve and restart',
    ],
    [
      'a running server with an approved plan',
      { approvedPlan: 'h', isNew: false, isRunning: true },
      'Save only',
      'Save and restart',
    ],
    [
      'a stopped server with an approved plan',
      { approvedPlan: 'h', isNew: false, isRunning: false },
      'Save',
      'Save and start',
    ],
  ])('offers two buttons for %s', (_, where, save, approve) => {
    expect(consentText({ ...where, preview: command })).toMatchObject({ save, approve })
  })

  it('says that a running server needs a restart', () => {
    const where = { ...fresh, isNew: false, isRunning: true, preview: command }
    expect(consentText(where).detail).toContain('to apply changes')
  })

  it('offers to connect to a remote server', () => {
    const words = consentText({ ...fresh, preview: remote })
    expect(words).toMatchObject({ approve: 'Approve and connect', detail: undefined })
  })
})
