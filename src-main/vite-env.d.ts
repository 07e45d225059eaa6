/// <reference types="electron-vite/node" />

interface ImportMetaEnv {
  readonly MAIN_VITE_UPDATE_FEED?: string
  readonly MAIN_VITE_UPDATE_KEY?: string
}
