import { describe, expect, it } from 'vitest'

import type { UserRequest, UserRequestBody } from '../../../src-shared/domain/agents/user-request'
import { pageAddress } from './form-request'
import { endedMessage, requestTitle, timeLeft } from './user-request-store'

function request(body: UserRequestBody, agent?: string): UserRequest {
  return { requestId: 'q', installationId: 'i', agent, requestedAt: 0, until: 300_000, body }
}

const FORM = request({ kind: 'form', message: 'Who?', fields: [] })
const CALL: UserRequestBody = {
  kind: 'call',
  tool: 'wipe',
  isDestructive: true,
  arguments: [],
}

describe('Requests of servers: messages', () => {
  it('name the sender', () => {
    expect(requestTitle(FORM, 'GitHub')).toBe('GitHub asks for details')
    expect(requestTitle(request(CALL, 'Claude'), 'GitHub')).toBe(
      'Allow Claude to run wipe on GitHub?',
    )
    expect(requestTitle(request(CALL), 'GitHub')).toBe('Allow an agent to run wipe on GitHub?')
    expect(requestTitle(request(CALL, 'Cla\u202eude'), 'GitHub')).toContain('<U+202E>')
  })

  it('count down the last minute', () => {
    expect(timeLeft(FORM, 239_999)).toBeUndefined()
    expect(timeLeft(FORM, 240_000)).toBe('60 s left')
    expect(timeLeft(FORM, 299_500)).toBe('1 s left')
    expect(timeLeft(FORM, 300_001)).toBe('Time is up')
  })

  it('say how an unanswered request ended', () => {
    expect(endedMessage(FORM, 'GitHub', 300_000)).toContain('timed out')
    expect(endedMessage(FORM, 'GitHub', 300_000)).toContain('Your answer wasn’t sent.')
    expect(endedMessage(request(CALL), 'GitHub', 300_000)).toContain('The call was denied.')
    expect(endedMessage(FORM, 'GitHub', 100)).toContain('answered elsewhere')
  })
})

describe('Requests of servers: address of a page', () => {
  it('is split around its host', () => {
    expect(pageAddress('https://example.org:8443/a?b=example.org#c')).toEqual({
      before: 'https://',
      host: 'example.org:8443',
      after: '/a?b=example.org#c',
      isEncoded: false,
    })
    expect(pageAddress('https://https@paypal.com@evil.example/')).toMatchObject({
      before: 'https://https%40paypal.com@',
      host: 'evil.example',
    })
    expect(pageAddress('https://b.example:b.example@b.example/b.example')).toMatchObject({
      before: 'https://b.example:b.example@',
      host: 'b.example',
      after: '/b.example',
    })
  })

  it('marks letters that look like others', () => {
    expect(pageAddress('https://p\u0430ypal.com/')).toMatchObject({
      host: 'xn--pypal-4ve.com',
      isEncoded: true,
    })
  })

  it('is rejected outside the web', () => {
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'nothing', ''])
      expect(pageAddress(address), address).toBeUndefined()
  })
})
