import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { viewsOf } from './entry-facts'
import { EntryReach } from './entry-reach'

/** Renders the heading and statements for an entry's only offer, on a computer with npx. */
function statements(parts: object): string[] {
  const { server } = parseServerJson({ name: 'a/b', version: '1', ...parts })
  const [view] = viewsOf(server, { platform: 'linux', arch: 'x64', runners: ['npx'] })
  if (!view) throw new Error('There is no offer.')
  const html = renderToStaticMarkup(createElement(EntryReach, { view }))
  return html
    .split(/<\/(?:h3|li)>/u)
    .map((part) => part.replaceAll(/<[^>]*>/gu, '').replaceAll('&#x27;', "'"))
    .filter(Boolean)
}

const package_ = (registryType: string, more: object = {}) => ({
  packages: [{ registryType, identifier: 'notes', version: '1.0.0', ...more }],
})

describe('D2: statements before setup', () => {
  it('name the command, its permissions, paths, settings and secrets, and the network access', () => {
    const request = {
      environmentVariables: [
        { name: 'API_KEY', isSecret: true, isRequired: true },
        { name: 'OTHER_KEY', isSecret: true },
        { name: 'LEVEL' },
      ],
      packageArguments: [{ type: 'positional', valueHint: 'folder', format: 'filepath' }],
    }
    expect(statements(package_('npm', request))).toEqual([
      'Before you install',
      'Runs on this computer through npx with your user permissions.',
      'Paths: Folder. Patchbay doesn’t restrict the server to them.',
      'Settings: Level.',
      'Required secrets: API key. Optional secrets: Other key.',
      'Network access: not declared. The registry doesn’t check this.',
    ])
  })

  it('start with what is missing on this computer', () => {
    expect(statements(package_('pypi')).slice(1, 3)).toEqual([
      'Requires uvx, which isn’t installed.',
      'Runs on this computer through uvx with your user permissions.',
    ])
    expect(statements(package_('gem')).slice(1, 3)).toEqual([
      'Unsupported package type “gem”.',
      'Package type: gem.',
    ])
  })

  it('name the download host of a bundle and say that its settings appear later', () => {
    const identifier = 'https://downloads.example/notes.mcpb'
    expect(statements(package_('mcpb', { identifier }))).toEqual([
      'Before you install',
      'Downloads a file from downloads.example and verifies the file. Runs on this computer with your user permissions.',
      'Settings appear after the download.',
      'Network access: not declared. The registry doesn’t check this.',
    ])
  })

  it('say that requests to a remote leave this computer, and name the headers', () => {
    const headers = [{ name: 'Authorization', isSecret: true, isRequired: true }]
    const remote = { type: 'streamable-http', url: 'https://notes.example/mcp', headers }
    expect(statements({ remotes: [remote] })).toEqual([
      'Before you connect',
      'Connects to notes.example over Streamable HTTP. The server runs there, so requests leave this computer.',
      'Sent with every request: Authorization.',
      'Required secrets: Authorization.',
    ])
  })
})
