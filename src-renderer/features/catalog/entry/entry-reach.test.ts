import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { EntryReach } from './entry-reach'
import { viewsOf } from './offer-words'

/** The heading and the statements on the only offer of an entry, on a computer that has npx. */
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

describe('D2 what is told before something is set up', () => {
  it('is what runs with whose rights, which paths, values and secrets are asked for, and that the network is open', () => {
    const asked = {
      environmentVariables: [
        { name: 'API_KEY', isSecret: true, isRequired: true },
        { name: 'OTHER_KEY', isSecret: true },
        { name: 'LEVEL' },
      ],
      packageArguments: [{ type: 'positional', valueHint: 'folder', format: 'filepath' }],
    }
    expect(statements(package_('npm', asked))).toEqual([
      'Before you install',
      "Runs on this computer through npx, with your account's rights.",
      'Asks for paths: Folder. Whether it stays inside them is up to the server.',
      'Asks for Level.',
      'Needs a secret: API key. Can use Other key.',
      'Network: not declared. The registry does not check this.',
    ])
  })

  it('is first what is missing on this computer', () => {
    expect(statements(package_('pypi')).slice(1, 3)).toEqual([
      'Needs uvx, which was not found on this computer.',
      "Runs on this computer through uvx, with your account's rights.",
    ])
    expect(statements(package_('gem')).slice(1, 3)).toEqual([
      'Patchbay cannot start packages of the kind “gem”.',
      'A package of the kind “gem”.',
    ])
  })

  it('is of a bundle where it is fetched, and that it says later what it asks for', () => {
    const identifier = 'https://downloads.example/notes.mcpb'
    expect(statements(package_('mcpb', { identifier }))).toEqual([
      'Before you install',
      'Downloads a file from downloads.example and checks it. It runs on this computer, with your account’s rights.',
      'What it asks for is shown once it is downloaded.',
      'Network: not declared. The registry does not check this.',
    ])
  })

  it('is of an address that what is asked leaves this computer, and which headers are sent', () => {
    const headers = [{ name: 'Authorization', isSecret: true, isRequired: true }]
    const remote = { type: 'streamable-http', url: 'https://notes.example/mcp', headers }
    expect(statements({ remotes: [remote] })).toEqual([
      'Before you connect',
      'Connects to notes.example over Streamable HTTP. It runs there, and what it is asked leaves this computer.',
      'Sends this header with every request: Authorization.',
      'Needs a secret: Authorization.',
    ])
  })
})
