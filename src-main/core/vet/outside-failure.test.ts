import { describe, expect, it } from 'vitest'

import type { FailureText } from '../failure/describe-failure'
import { isOutsideError, isOutsideFailure } from './outside-failure'

const failure = (rest: Partial<FailureText>): FailureText => ({
  ...{ code: 'SERVER_EXITED', message: 'The server exited with code 1 before it responded.' },
  ...{ stderrTail: [], fields: [] },
  ...rest,
})
const caused = (causeId: string): FailureText =>
  failure({ cause: { causeId, message: 'A sentence.', step: { kind: 'viewLog' } } })

describe("E14: failures that aren't the server's fault", () => {
  it.each([
    'getaddrinfo ENOTFOUND api.notion.com',
    'fetch failed',
    'connect ECONNREFUSED 127.0.0.1:5999',
    'Error: Chromium distribution \'chrome\' is not found. Run "npx playwright install chrome"',
    'Request failed with status code 401',
    'Invalid API key format. Expected sk_* (secret key).',
    'Failed to resolve host: [Errno -2] Name or service not known',
    'Connection to 127.0.0.1 timed out',
  ])('come from the network, a service, a key or a program: %s', (text) => {
    expect(isOutsideError(text)).toBe(true)
  })

  it.each([
    'Invalid input',
    "Cannot read properties of undefined (reading 'toLowerCase')",
    "{'city': True} is not of type 'string'",
    'MCP error -32602: Invalid arguments for tool read_file',
    'Unknown tool: patchbay_unknown_tool',
  ])("don't include: %s", (text) => {
    expect(isOutsideError(text)).toBe(false)
  })

  it('include a start without a value, a runner, a Python version or the network', () => {
    const causes = ['variable-missing', 'service-unreached', 'python-version-unfit']
    expect(causes.filter((id) => !isOutsideFailure(caused(id)))).toEqual([])
    expect(isOutsideFailure(failure({ code: 'COMMAND_NOT_FOUND' }))).toBe(true)
    expect(isOutsideFailure(failure({ code: 'INSTALL_FAILED' }))).toBe(true)
    expect(isOutsideFailure(failure({ stderrTail: ['TypeError: fetch failed'] }))).toBe(true)
  })

  it("don't include a start of a package that can't work anywhere", () => {
    const causes = ['npm-package-gone', 'python-dependency-changed', 'node-module-missing']
    expect(causes.filter((id) => isOutsideFailure(caused(id)))).toEqual([])
    expect(isOutsideFailure(failure({ stderrTail: ['TypeError: x is not a function'] }))).toBe(
      false,
    )
    expect(isOutsideFailure(failure({ code: 'PHASE_TIMEOUT' }))).toBe(false)
  })
})
