import { expect, it } from 'vitest'

import { serverViewAt, tabOf } from './server-views'

it('the six tabs of a server open by current and earlier addresses only', () => {
  const at = (name: string): string | undefined => {
    const view = serverViewAt(name)
    return view && `${tabOf(view)}: ${view}`
  }
  expect(['overview', 'tools', 'resources', 'prompts', 'settings'].map(at)).toEqual([
    'overview: overview',
    'tools: tools',
    'resources: resources',
    'prompts: prompts',
    'settings: settings',
  ])
  expect(['log', 'messages', 'history', 'metrics'].map(at)).toEqual([
    'logs: log',
    'logs: messages',
    'logs: history',
    'overview: metrics',
  ])
  expect(['logs', 'traffic', 'figures', 'configuration'].map(at)).toEqual([
    'logs: log',
    'logs: messages',
    'overview: metrics',
    'settings: settings',
  ])
  expect(['nothing', 'constructor', ''].map(at)).toEqual([undefined, undefined, undefined])
})
