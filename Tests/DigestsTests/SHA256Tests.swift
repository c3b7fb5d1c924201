import Digests
import Testing

/// The examples of FIPS 180-4's publisher (NIST, "SHA256.pdf" and its long-message vector).
@Suite struct SHA256Tests {
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func publishedExamplesHold(text: String, digest: String) {
        #expect(SHA256.hexadecimal(text.utf8) == digest)
    }

    @Test func pieceByPieceIsAsAtOnce() {
        var hash = SHA256()
        for _ in 0..<1_000 { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: 1_000)) }
        #expect(
            hexadecimal(hash.digest())
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
}
