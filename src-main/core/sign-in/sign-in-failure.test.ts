import { OAuthError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'

import { AppError } from '../../../src-shared/domain/app-error'
import { refusalOf, RejectedError, signInFailure } from './sign-in-failure'

const SERVER = new URL('https://server.example/mcp')

describe('C10: sign-in errors', () => {
  it("clean and shorten the server's text", () => {
    const rejected = new RejectedError('a\u001B[31m\nb', `\u202E\u0007${'long '.repeat(500)}`)
    const { message, hint = '' } = signInFailure(rejected, SERVER)
    expect(message).toMatch(/^[\x20-\x7E]+$/u)
    expect(hint).toMatch(/^Server message: [\x20-\x7E]+ … \(cut\)$/u)
    expect(hint.length).toBeLessThan(340)
  })

  it.each([
    ['invalid_grant', 'grant'],
    ['invalid_client', 'request'],
    ['invalid_target', 'request'],
    ['server_error', 'later'],
    ['temporarily_unavailable', 'later'],
  ])('classifies %s as %s', (code, expected) => {
    expect(refusalOf(new OAuthError(code, 'words'))).toBe(expected)
    expect(refusalOf(new Error(code))).toBe('later')
  })

  it('name a network problem', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const failure = signInFailure(new TypeError('fetch failed', { cause }), SERVER)
    expect(failure).toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: 'Can’t reach server.example: the connection was refused (ECONNREFUSED).',
    })
  })

  it("name the requested host if it differs from the server's", () => {
    const reported = new AppError('REMOTE_UNREACHABLE', 'login.example cannot be reached.')
    expect(signInFailure(new TypeError(reported.message, { cause: reported }), SERVER)).toBe(
      reported,
    )
  })

  it('suggest a next step for any other error', () => {
    expect(signInFailure(new Error('No way'), SERVER)).toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: 'Can’t sign in to server.example: No way',
      hint: expect.stringContaining('Configure') as string,
    })
  })
})
