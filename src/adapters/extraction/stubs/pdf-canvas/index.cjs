class DOMMatrix {}
class Path2D {}

module.exports = { DOMMatrix, Path2D };
