import { describe, expect, it } from 'vitest'

import { fileName, fileProblem, fileSentence, namesInWords } from './file-words'

const read = (servers: number, isReadOnly = false): Parameters<typeof fileSentence>[0] => ({
  state: { kind: 'read', servers, isReadOnly },
})

describe('D6: files of apps in words', () => {
  it('are called by the last part of their path, of whichever system', () => {
    expect(fileName('/home/anna/.cursor/mcp.json')).toBe('mcp.json')
    expect(fileName('C:\\Users\\Anna\\AppData\\Roaming\\Zed\\settings.json')).toBe('settings.json')
    expect(fileName('/')).toBe('/')
  })

  it('say what they have of their own, and that one that is not there is made', () => {
    expect(fileSentence(read(0))).toBe('Not connected.')
    expect(fileSentence(read(1))).toBe('Not connected. It has 1 server of its own.')
    expect(fileSentence({ state: { kind: 'absent' } })).toContain('is made when you connect')
  })

  it('say why they cannot be written', () => {
    expect(fileProblem(read(1))).toBeUndefined()
    expect(fileProblem(read(1, true))).toContain('read-only')
    expect(fileProblem({ state: { kind: 'broken', problem: 'Line 2.' } })).toBe('Line 2.')
  })

  it('join names as a person does', () => {
    expect(namesInWords(['Zed'])).toBe('Zed')
    expect(namesInWords(['Zed', 'Cursor'])).toBe('Zed and Cursor')
    expect(namesInWords(['Zed', 'Cursor', 'Codex'])).toBe('Zed, Cursor and Codex')
  })
})
