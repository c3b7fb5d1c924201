import CCrypto

/// SHA-256 (FIPS 180-4), by the system's libcrypto.
package struct SHA256: ~Copyable {
    private let context: OpaquePointer

    /// The digest of nothing yet.
    package init() {
        // Only a machine without memory, or a libcrypto without SHA-256, refuses any of these calls.
        guard Self.isLoaded, let context = EVP_MD_CTX_new(),
            EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("libcrypto has no SHA-256") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes in the next bytes.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let isTaken =
            bytes.withContiguousStorageIfAvailable { take($0) }
            ?? Array(bytes).withUnsafeBufferPointer { take($0) }
        precondition(isTaken, "libcrypto takes all bytes")
    }

    private func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }

    /// The 32 bytes of the digest.
    package consuming func digest() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        let isDone = digest.withUnsafeMutableBufferPointer {
            EVP_DigestFinal_ex(context, $0.baseAddress, nil) == 1
        }
        precondition(isDone, "libcrypto gives a digest")
        return digest
    }

    /// The digest of `bytes`, in hexadecimal.
    package static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return Digests.hexadecimal(hash.digest())
    }

    /// Whether libcrypto is loaded: for as long as the process lives. What it frees at the exit otherwise would be
    /// taken from threads that are not done.
    private static let isLoaded =
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
    private static let byteCount = 32
}

/// Bytes as hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
