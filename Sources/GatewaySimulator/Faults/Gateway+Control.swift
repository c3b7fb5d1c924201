extension Gateway {
    /// Carries out a control command, a JSON object, and gives the answer, another one.
    package func control(_ line: String) -> String { "{\"error\":\"no such command\"}" }
}
