import * as z from 'zod'

/** The person's preferences; every key has a default, so an older file stays readable. */
export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast', 'contrast-light']).default('system'),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  /** Base address of the registry's API, without `/v0.1`. */
  registryUrl: z.url({ protocol: /^https?$/ }).default('https://registry.modelcontextprotocol.io'),
  /** How many servers install or spawn at the same time; the wait for an answer takes no slot. */
  installSlots: z.number().int().min(1).max(16).default(4),
  /** Handshake limit of a server that sets none, in ms. */
  handshakeMs: z.number().int().min(500).max(600_000).default(30_000),
})
export type Settings = z.infer<typeof Settings>

const { shape } = Settings

/** Some settings to change. Without the defaults, which a partial schema would fill in for every missing key. */
export const SettingsChange = z
  .object({
    theme: shape.theme.unwrap(),
    density: shape.density.unwrap(),
    registryUrl: shape.registryUrl.unwrap(),
    installSlots: shape.installSlots.unwrap(),
    handshakeMs: shape.handshakeMs.unwrap(),
  })
  .partial()
export type SettingsChange = z.infer<typeof SettingsChange>
