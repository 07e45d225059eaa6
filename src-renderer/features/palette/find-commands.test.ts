import { Play } from 'lucide-react'
import { describe, expect, it } from 'vitest'

import { type Command, CommandFinder, wordsOf } from './find-commands'

function command(group: Command['group'], title: string, where = ''): Command {
  return { id: `${group} ${title}`, group, title, where, icon: Play, run: () => undefined }
}
const restart = { ...command('Actions', 'Restart Playwright'), verb: 'Restart' }
const restore = command('Actions', 'Restore from backup')
const playwright = command('Servers', 'Playwright', '@playwright/mcp')
const request = command('Tools', 'create_pull_request', 'GitHub')
const finder = new CommandFinder([request, playwright, restart, restore])

function titles(query: string, more: readonly Command[] = []): string[] {
  return finder.find(query, more).flatMap(({ commands }) => commands.map(({ title }) => title))
}

describe('commands', () => {
  it('are found by the start of any word, in any order, actions first', () => {
    expect(titles('rest')).toEqual(['Restart Playwright', 'Restore from backup'])
    expect(titles('play rest')).toEqual(['Restart Playwright'])
    expect(titles('pull')).toEqual(['create_pull_request'])
    expect(titles('github')).toEqual(['create_pull_request'])
    expect(titles('nothing like it')).toEqual([])
  })

  it('that match by a name alone follow the named item, so that Enter changes nothing', () => {
    expect(titles('playwright')).toEqual(['Playwright', 'Restart Playwright'])
    expect(titles('playwright res')).toEqual(['Restart Playwright'])
  })

  it('are found despite typos, except in short words', () => {
    expect(titles('playwrigt')).toEqual(['Playwright', 'Restart Playwright'])
    expect(titles('pxl')).toEqual([])
  })

  it('are followed by external results, unchanged', () => {
    const listed = command('Catalog', '<img src=x>')
    expect(titles('rest', [listed])).toEqual([
      'Restart Playwright',
      'Restore from backup',
      '<img src=x>',
    ])
  })

  it('start with the recent ones, then list the others', () => {
    const offered = finder.offer([playwright.id, 'gone'])
    expect(offered.map(({ group }) => group)).toEqual(['Recent', 'Actions'])
    expect(offered[0]?.commands).toEqual([playwright])
    expect(finder.offer([]).map(({ group }) => group)).toEqual(['Actions', 'Servers'])
  })

  it('are found among thousands, with few shown', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => command('Tools', `tool_${index}`))
    const [tools] = new CommandFinder(many).find('tool', [])
    expect(tools?.commands).toHaveLength(8)
  })
})

describe('words of a name', () => {
  it('are split at punctuation and capital letters', () => {
    expect(wordsOf('create_pull-request')).toEqual(['create', 'pull', 'request'])
    expect(wordsOf('createPull 2')).toEqual(['createpull', '2', 'create', 'pull', '2'])
  })
})
