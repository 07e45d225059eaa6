import { describe, expect, it } from 'vitest'

import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { consentWords } from './consent-foot'

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

describe('D3 what a user consents to', () => {
  it('is a command that runs, or an address that is connected to', () => {
    expect(consentWords({ ...fresh, preview: command }).sentence).toContain('will run exactly')
    expect(consentWords({ ...fresh, preview: null }).sentence).toContain('will run exactly')
    expect(consentWords({ ...fresh, preview: remote }).sentence).toContain('will connect to')
  })

  it.each([
    ['a new one', fresh, 'Save for later', 'Approve and start'],
    ['one that stands', { ...fresh, isNew: false }, 'Save', 'Approve and start'],
    [
      'one that runs',
      { ...fresh, isNew: false, isRunning: true },
      'Save only',
      'Approve and restart',
    ],
    [
      'one that runs as it was approved',
      { approvedPlan: 'h', isNew: false, isRunning: true },
      'Save only',
      'Save and restart',
    ],
    [
      'one that was approved',
      { approvedPlan: 'h', isNew: false, isRunning: false },
      'Save',
      'Save and start',
    ],
  ])('%s has its two buttons', (_, where, save, approve) => {
    expect(consentWords({ ...where, preview: command })).toMatchObject({ save, approve })
  })

  it('says of a running one that it takes a restart', () => {
    const where = { ...fresh, isNew: false, isRunning: true, preview: command }
    expect(consentWords(where).detail).toContain('to apply changes')
  })

  it('offers to connect to what runs elsewhere', () => {
    const words = consentWords({ ...fresh, preview: remote })
    expect(words).toMatchObject({ approve: 'Approve and connect', detail: undefined })
  })
})
