"""The full-size algorithms on a processor."""

comptime LOAD_WIDTH = 4
"""The elements of a vector load of the kernels."""


def axis_sum[
    rows: Int, columns: Int, threads: Int, width: Int
](output: Span[mut=True, Float32, _], a: Span[Float32, _],):
    """Writes the sum of each row of `a` to the same row of `output`.

    Parameters:
        rows: The number of rows.
        columns: The length of a row.
        threads: The threads of a block.
        width: The lanes of a warp.

    Args:
        output: The sums, shape (rows, 1).
        a: The matrix, shape (rows, columns).
    """
    for row in range(rows):
        var total = Float32(0)
        for column in range(columns):
            total += a[row * columns + column]
        output[row] = total


def row_max[
    rows: Int, columns: Int, threads: Int, width: Int
](output: Span[mut=True, Float32, _], a: Span[Float32, _],):
    """Writes the maximum of each row of `a` to the same row of `output`.

    Parameters:
        rows: The number of rows.
        columns: The length of a row.
        threads: The threads of a block.
        width: The lanes of a warp.

    Args:
        output: The maxima, shape (rows, 1).
        a: The matrix, shape (rows, columns).
    """
    for row in range(rows):
        var largest = a[row * columns]
        for column in range(columns):
            largest = max(largest, a[row * columns + column])
        output[row] = largest


def cluster_sum[
    size: Int, clusters: Int, cluster_size: Int, threads: Int, width: Int
](
    output: Span[mut=True, Float32, _],
    input: Span[Float32, _],
    temp_storage: Span[mut=True, Float32, _],
):
    """Writes the sum of each cluster's share of `input` to `output`.

    Vectors are dealt out to all the blocks in turn, `threads` of them at a
    time; the first threads take what is left.

    Parameters:
        size: The number of elements of `input`.
        clusters: The clusters of the grid.
        cluster_size: The blocks of a cluster.
        threads: The threads of a block.
        width: The lanes of a warp.

    Args:
        output: The sum of each cluster's share, shape (clusters,).
        input: The vector, shape (size,).
        temp_storage: The partial sum of each block, shape
            (clusters * cluster_size,).
    """
    comptime blocks = clusters * cluster_size
    comptime body = size // LOAD_WIDTH * LOAD_WIDTH
    for block in range(blocks):
        temp_storage[block] = 0
    for i in range(size):
        var dealt = i // LOAD_WIDTH if i < body else i - body
        temp_storage[dealt // threads % blocks] += input[i]
    for cluster in range(clusters):
        var total = Float32(0)
        for peer in range(cluster_size):
            total += temp_storage[cluster * cluster_size + peer]
        output[cluster] = total
