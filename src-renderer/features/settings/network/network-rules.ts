import { readProxyAddress } from '../../../../src-shared/domain/state/proxy-address'
import { Settings } from '../../../../src-shared/domain/state/settings'
import type { TypedSetting } from '../../../components/settings/setting-rules'

/** The address of a proxy as it is kept; empty for none. */
export function typedProxy(text: string): TypedSetting {
  const typed = text.trim()
  if (typed === '') return { change: { proxyUrl: '' } }
  const proxyUrl = readProxyAddress(typed)
  if (proxyUrl !== undefined) return { change: { proxyUrl } }
  return {
    problem: typed.includes('@')
      ? 'Enter the address without user name and password. Use the fields below.'
      : 'Enter an address such as http://proxy.example:8080.',
  }
}

/** The name by which a proxy knows the user. */
export function typedProxyUser(text: string): TypedSetting {
  const proxyUser = text.trim()
  return Settings.shape.proxyUser.safeParse(proxyUser).success
    ? { change: { proxyUser } }
    : { problem: 'Enter a user name without a colon.' }
}

/** What is reached without a proxy, one after the other with commas between. */
export function typedWithoutProxy(text: string): TypedSetting {
  const entries = text.split(/[\s,;]+/u).filter((entry) => entry !== '')
  const withoutProxy = entries.join(', ')
  const isAddress = entries.some((entry) => entry.includes('://'))
  if (!isAddress && Settings.shape.withoutProxy.safeParse(withoutProxy).success)
    return { change: { withoutProxy } }
  return { problem: 'Enter domains, IP addresses, or ranges, such as acme.example, 10.0.0.0/8.' }
}

/** One more file of certificates. */
export function typedCertificateFile(files: readonly string[]): (text: string) => TypedSetting {
  return (text) => {
    const path = text.trim().replace(/^"(.*)"$/u, '$1')
    if (path === '') return { change: {} }
    if (files.includes(path)) return { problem: 'This file is already in the list.' }
    const certificateFiles = [...files, path]
    return Settings.shape.certificateFiles.safeParse(certificateFiles).success
      ? { change: { certificateFiles } }
      : { problem: 'Add at most 20 files. Put several certificates into one file.' }
  }
}
