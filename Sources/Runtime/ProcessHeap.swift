import CMemory

/// The memory of a process that fills much of it once and ends.
enum ProcessHeap {
    /// What a run over some millions of bars fills; address space only, until it is used.
    private static let bytes = 256 << 20
    private static let prepared: Void = martlet_prepare_heap(bytes)

    /// Asks for large pages, once however often it is called.
    static func prepare() { prepared }
}
