import CLinux

/// The memory of this process.
enum ProcessHeap {
    /// What a run over some millions of bars fills; address space only, until it is used.
    private static let bytes = 256 << 20
    private static let prepared: Void = martlet_prepare_heap(bytes)

    /// Asks for large pages, once however often it is called: for a process that fills much memory once and ends.
    static func prepare() { prepared }

    /// Gives the system back what was freed: for a process that lives for months, behind work that took much.
    static func trim() { martlet_trim_heap() }
}
