import { createContext, useContext } from 'react'

const NonceContext = createContext<string | undefined>(undefined)

export const NonceProvider = NonceContext.Provider

/** The answer's nonce for inline scripts; undefined in the browser, which never shows it. */
export const useNonce = (): string | undefined => useContext(NonceContext)
