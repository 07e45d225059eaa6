import { describe, expect, it } from 'vitest'

import { promptIn } from './start-watch'

describe('F14: a prompt on stdin', () => {
  it.each([
    'Acme API key: ',
    'Ok to proceed? (y) ',
    'Overwrite? [y/N]',
    '> ',
    '? Choose a region:',
  ])('is an unfinished line: “%s”', (text) => {
    expect(promptIn([text], undefined)).toBe(text.trim())
  })

  it('is a whole line that asks for input', () => {
    expect(promptIn([], 'Enter your API key:')).toBe('Enter your API key:')
  })

  it.each([
    'model.safetensors: 69%|####',
    'Loading weights: ',
    'Connecting to the database: ',
    '{"jsonrpc":',
    'Downloading 3 MB:',
  ])('is not found in “%s”', (text) => {
    expect(promptIn([text], text)).toBeUndefined()
  })

  it.each(['Tools:', 'Started', 'Error: missing key'])(
    'is not a whole line such as “%s”',
    (text) => {
      expect(promptIn([], text)).toBeUndefined()
    },
  )
})
