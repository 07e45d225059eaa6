import { describe, expect, it } from 'vitest'

import { promptIn } from './start-watch'

describe('F14 a prompt on stdin', () => {
  it.each([
    'Acme API key: ',
    'Ok to proceed? (y) ',
    'Overwrite? [y/N]',
    '> ',
    '? Choose a region:',
  ])('is a line that is not ended: “%s”', (text) => {
    expect(promptIn([text], undefined)).toBe(text.trim())
  })

  it('is a whole line that asks for something', () => {
    expect(promptIn([], 'Enter your API key:')).toBe('Enter your API key:')
  })

  it.each([
    'model.safetensors: 69%|####',
    'Loading weights: ',
    'Connecting to the database: ',
    '{"jsonrpc":',
    'Downloading 3 MB:',
  ])('is none in “%s”', (text) => {
    expect(promptIn([text], text)).toBeUndefined()
  })

  it.each(['Tools:', 'Started', 'Error: missing key'])('is no whole line such as “%s”', (text) => {
    expect(promptIn([], text)).toBeUndefined()
  })
})
